import releases from "@/releases/component/releases.json";

/** The newest version of the browser component that has addresses of its own. */
export const RELEASED_COMPONENT = releases.at(-1)?.version ?? "";
