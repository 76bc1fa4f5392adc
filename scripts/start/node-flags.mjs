/**
 * Node flags, sizes in MiB. By default V8's young generation starts at 1 MiB and grows only while most objects survive,
 * so objects of requests in flight are promoted to the old generation after two scavenges, and only a full collection
 * frees them: a quarter of the CPU time under load. docs/decisions/0080-young-generation.md has figures.
 */
export const NODE_FLAGS = ["--min-semi-space-size=16", "--max-semi-space-size=16"];
