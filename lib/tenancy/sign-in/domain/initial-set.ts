const NAMES = [
  "INIT_OWNER_EMAIL",
  "INIT_WORKSPACE",
  "INIT_WEB_APP",
  "INIT_ORIGINS",
  "INIT_ENVIRONMENT_ID",
  "INIT_API_KEY",
  "INIT_API_KEY_FILE",
] as const;

/** The variables that set up an empty instance. */
export type InitialVariables = Partial<Record<(typeof NAMES)[number], string | undefined>>;

export type WebAppSet = { name: string; origins: string[]; environmentId: string | undefined; key: KeySource };
type KeySource = { text: string } | { file: string };
type InitialSet = { email: string; workspaceName: string; webApp: WebAppSet | undefined };

/** `set` is undefined if no variable is set; `obstacle` describes what is wrong with their combination. */
type ParsedInitialSet = { set: InitialSet | undefined } | { obstacle: string };

/** Lists the missing variables of a group. */
function missingOf(group: Record<string, unknown>): string {
  const names = Object.entries(group)
    .filter(([, value]) => value === undefined)
    .map(([name]) => name);
  return `${names.join(", ")} missing`;
}

const keySource = ({ INIT_API_KEY: text, INIT_API_KEY_FILE: file }: InitialVariables): KeySource | undefined => {
  if (text !== undefined) return { text };
  return file === undefined ? undefined : { file };
};

const splitOrigins = (text: string): string[] =>
  text
    .split(",")
    .map((origin) => origin.trim())
    .filter((origin) => origin !== "");

function readWebApp(given: InitialVariables): { webApp: WebAppSet | undefined } | { obstacle: string } {
  const { INIT_WEB_APP: name, INIT_ORIGINS: origins, INIT_ENVIRONMENT_ID: environmentId } = given;
  const key = keySource(given);
  if ([name, origins, environmentId, key].every((part) => part === undefined)) return { webApp: undefined };
  if (given.INIT_API_KEY !== undefined && given.INIT_API_KEY_FILE !== undefined)
    return { obstacle: "INIT_API_KEY and INIT_API_KEY_FILE are both set: remove one" };
  if (name !== undefined && origins !== undefined && key !== undefined)
    return { webApp: { name, origins: splitOrigins(origins), environmentId, key } };
  const missing = missingOf({ INIT_WEB_APP: name, INIT_ORIGINS: origins, "INIT_API_KEY (or INIT_API_KEY_FILE)": key });
  return { obstacle: `${missing}: set all of them to create a Web App, or none` };
}

export function readInitialSet(given: InitialVariables): ParsedInitialSet {
  const { INIT_OWNER_EMAIL: email, INIT_WORKSPACE: workspaceName } = given;
  if (NAMES.every((name) => given[name] === undefined)) return { set: undefined };
  if (email === undefined || workspaceName === undefined) {
    const missing = missingOf({ INIT_OWNER_EMAIL: email, INIT_WORKSPACE: workspaceName });
    return { obstacle: `${missing}: setting up an instance requires an owner and a workspace` };
  }
  const reading = readWebApp(given);
  return "obstacle" in reading ? reading : { set: { email, workspaceName, webApp: reading.webApp } };
}
