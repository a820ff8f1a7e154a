/** Opaque, globally unique ids. A node keeps its id in every session that holds it, forks included. */
export type SessionId = string;
export type NodeId = string;
export type MoveId = string;

/** Lower-case hexadecimal SHA-256 of a file's bytes: the name of its blob. */
export type BlobHash = string;

/** A point in the `filesFrom` tree: a node, or `null` for the start, before any node. */
export type Place = NodeId | null;
