export { authenticateOrigin, originReading, type OriginPrincipal } from "./authenticate-origin";
export { issueChallenge } from "./issue-challenge";
export { readAheadOfSubmission } from "./prepare-submission";
export { submitImprint } from "./submit-imprint";
