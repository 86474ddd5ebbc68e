import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";
import { words } from "./words.ts";

// `npm run dev` shows the app with every change at once; tables come from a server that runs beside it.
const server = "http://127.0.0.1:8012";

export default defineConfig({
  plugins: [words(), svelte()],
  build: {
    outDir: "../src/stationmaster/server/static",
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0, // the page takes nothing that is written inline
    modulePreload: { polyfill: false },
  },
  server: { proxy: { "/api": server, "/ws": { target: server, ws: true } } },
});
