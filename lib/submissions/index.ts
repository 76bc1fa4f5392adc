export { authenticateOrigin, originReading, type OriginPrincipal } from "./authenticate-origin";
export { issueChallenge } from "./issue-challenge";
export { submitImprint } from "./submit-imprint";
