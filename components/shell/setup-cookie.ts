/** Cookie with the workspaces whose first steps a person has dismissed, so that the server knows them. */
export const SETUP_COOKIE = "imprint-steps";

const MOST = 20;
const shortOf = (workspaceId: string): string => workspaceId.slice(-12);

export const isDismissed = (cookie: string | undefined, workspaceId: string): boolean =>
  (cookie ?? "").split(".").includes(shortOf(workspaceId));

/** The cookie with one more workspace, dropping the oldest if it is full. */
export const dismiss = (cookie: string | undefined, workspaceId: string): string =>
  [...(cookie ?? "").split(".").filter((known) => known !== "" && known !== shortOf(workspaceId)), shortOf(workspaceId)]
    .slice(-MOST)
    .join(".");
