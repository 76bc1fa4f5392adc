export { authenticateOrigin, learnOrigin, originQuery, type OriginPrincipal } from "./authenticate-origin";
export { REPEAT_RULES } from "./domain/evidence";
export { readProxyKey } from "./read-proxy-key";
export { type SignedVisitor, openVisitor } from "./signed-visitor";
export { issueChallenge } from "./issue-challenge";
export { prefetchSubmission } from "./prepare-submission";
export { submitImprint } from "./submit-imprint";
