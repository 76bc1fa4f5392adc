export * from "./devices";
export * from "./oauth";
export * from "./people";
export * from "./platform";
export * from "./trials";
export * from "./usage";
export * from "./visits";
export * from "./workspaces";
