export { serveMcp } from "./serve-mcp";
