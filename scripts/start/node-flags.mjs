/**
 * What Node is started with, in MiB. By itself V8 gives new objects 1 MiB at first and more only while most survive, so
 * that what belongs to requests in flight counts as old after two collections of that, and only a collection of the
 * whole heap frees it: a quarter of the processor's time under load. docs/decisions/0080-young-generation.md has figures.
 */
export const NODE_FLAGS = ["--min-semi-space-size=16", "--max-semi-space-size=16"];
