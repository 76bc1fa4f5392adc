export { authenticateOrigin, originQuery, type OriginPrincipal } from "./authenticate-origin";
export { issueChallenge } from "./issue-challenge";
export { prefetchSubmission } from "./prepare-submission";
export { submitImprint } from "./submit-imprint";
