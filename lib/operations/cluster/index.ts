export { distributeDatabase } from "./distribute-database";
export { isolate, rebalance } from "./move-shards";
