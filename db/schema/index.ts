export * from "./people";
export * from "./platform";
export * from "./visits";
export * from "./workspaces";
