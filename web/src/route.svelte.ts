// Each screen has an address, so that a reload shows the same.

export type Place =
  | { screen: "home" }
  | { screen: "host" }
  | { screen: "table"; code: string; start: boolean };

function read(): Place {
  const [, first = "", second = ""] = location.pathname.split("/");
  if (first === "t" && second) {
    const state = history.state as { start?: boolean } | null;
    return { screen: "table", code: decodeURIComponent(second), start: state?.start === true };
  }
  return first === "host" ? { screen: "host" } : { screen: "home" };
}

let place = $state.raw<Place>(read());

addEventListener("popstate", () => (place = read()));

export function here(): Place {
  return place;
}

/** Go to a screen. `start` begins the match as soon as the table is there. */
export function go(path: string, start = false): void {
  history.pushState({ start }, "", path);
  place = read();
  scrollTo(0, 0);
}

/** The match has begun: a reload does not ask for that again. */
export function started(): void {
  history.replaceState({}, "", location.pathname);
}

/** A link that stays in the app. */
export function follow(event: MouseEvent): void {
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
  event.preventDefault();
  go((event.currentTarget as HTMLAnchorElement).pathname);
}
