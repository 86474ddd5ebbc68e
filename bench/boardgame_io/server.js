// A game as small as can be on boardgame.io's server, to measure the same load beside it. Matches are kept in memory.
const { Server } = require("boardgame.io/server");

const trivial = {
  name: "trivial",
  setup: () => ({ moves: 0 }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    play: ({ G }, move) => {
      if (typeof move !== "string") return "INVALID_MOVE";
      G.moves += 1;
    },
  },
  disableUndo: true,
};

const server = Server({ games: [trivial], origins: ["http://127.0.0.1"] });
server.run(Number(process.env.PORT)).then(() => console.log("ready"));
