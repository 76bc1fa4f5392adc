export { distributeDatabase } from "./distribute-database";
