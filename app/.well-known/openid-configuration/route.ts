export { GET, OPTIONS } from "../oauth-authorization-server/route";
