export { createAuthAdapter } from "./adapter";
export { completeSetup } from "./complete-setup";
export { createLoginLink } from "./create-login-link";
export { LOGIN_LINK_SECONDS, returnPath } from "./domain/links";
export { purgeEndedSessions } from "./purge-ended";
export { readSession, type SignedIn } from "./read-session";
export { isKnownUser, sendLoginLink } from "./send-login-link";
export { readSessionOfCookies, sessionCookie } from "./session-cookie";
export { checkSetupToken, ensureSetupLink } from "./setup-link";
