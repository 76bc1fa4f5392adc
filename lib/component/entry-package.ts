import { createImprintFor } from "./client";

export { isImprintError } from "./error";

/**
 * A bundled copy cannot know where the service is: `endpoint` is needed. May be imported on a server, and clients be made
 * there, also with an endpoint that is a path: pages are rendered there, and run nothing.
 */
export const createImprint = createImprintFor(
  undefined,
  typeof location === "undefined" ? "https://page.invalid" : location.href,
);
