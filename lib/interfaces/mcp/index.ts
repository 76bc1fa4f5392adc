export { openMcp } from "./serve-mcp";
