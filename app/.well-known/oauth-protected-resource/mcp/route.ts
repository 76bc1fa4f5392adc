export { GET, OPTIONS } from "../route";
