// The levels for people, as docs/protocol.md names them; how they differ is told by the words.
export const LEVELS = ["passenger", "porter", "conductor", "dispatcher", "stationmaster"] as const;
