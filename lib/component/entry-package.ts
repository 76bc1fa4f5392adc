import { createImprintFor } from "./client";

export { isImprintError } from "./error";

/** A bundled copy cannot know where the service is: `endpoint` is needed. May be imported on a server. */
export const createImprint = createImprintFor(undefined, typeof location === "undefined" ? undefined : location.href);
