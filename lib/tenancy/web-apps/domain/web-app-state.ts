const WEB_APP_STATES = ["active", "paused", "archived"] as const;
export type WebAppState = (typeof WEB_APP_STATES)[number];

export type WebAppChange = "pause" | "resume" | "archive";

/** The state after each change; changes not listed are refused. Archiving is final. */
export const WEB_APP_TRANSITIONS: Record<WebAppChange, Partial<Record<WebAppState, WebAppState>>> = {
  pause: { active: "paused", paused: "paused" },
  resume: { paused: "active", active: "active" },
  archive: { active: "archived", paused: "archived", archived: "archived" },
};
