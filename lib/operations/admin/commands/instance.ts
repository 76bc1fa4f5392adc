import { createProgress } from "@/lib/operations/backup";
import {
  doctor,
  doctorWithoutDatabase,
  examinePublic,
  type CheckResult,
  forgetSecret,
  rewrapSecrets,
  ROTATABLE_SECRETS,
  rotateSecret,
  worstOf,
} from "@/lib/operations/instance";
import { now } from "@/lib/platform/clock";
import { drawInitialValues } from "@/lib/tenancy/sign-in";
import releases from "@/releases/component/releases.json";
import type { Command, ParsedOptions } from "../command";

const parseAddress = (text: string) => (/^https?:/.test(text) && URL.canParse(text) ? new URL(text) : undefined);

/** @throws AppError `invalid_request`, before any check runs */
const publicAddress = (given: ParsedOptions): URL | undefined =>
  given.parsed("public", parseAddress, "a URL such as https://imprint.example");

/** Facts from outside, if a URL is given. */
const examineFromOutside = (url: URL | undefined): Promise<CheckResult[]> =>
  url ? examinePublic({ url, now: now(), component: releases.at(-1)?.files ?? {} }) : Promise.resolve([]);

const showFacts = (facts: readonly CheckResult[]) => ({
  healthy: worstOf(facts) !== "fail",
  status: worstOf(facts),
  facts: facts.map(({ name, status, text, fix }) => ({ name, status, text, fix: fix ?? null })),
});

export const instanceCommands: readonly Command[] = [
  {
    name: "init values",
    summary: "Generate a key and an environment id for INIT_API_KEY and INIT_ENVIRONMENT_ID",
    options: {},
    runAlone() {
      const { apiKey, environmentId } = drawInitialValues();
      return { api_key: apiKey, environment_id: environmentId };
    },
  },
  {
    name: "doctor",
    summary: "Check this instance, with a remedy for each problem",
    options: {
      public: { value: "URL", description: "Also check the installation through its public URL, as clients see it" },
    },
    schema: "any",
    async run(context, given, dependencies) {
      const address = publicAddress(given);
      const progress = createProgress(dependencies.stderr, "doctor");
      const checking = doctor(context, { ...dependencies, onChecked: progress.at });
      const [inside, outside] = await Promise.all([checking, examineFromOutside(address)]).finally(progress.end);
      return showFacts([...inside, ...outside]);
    },
    async runWithoutDatabase(reason, given, dependencies) {
      const address = publicAddress(given);
      const inside = doctorWithoutDatabase(reason, dependencies);
      return showFacts((await Promise.all([inside, examineFromOutside(address)])).flat());
    },
  },
  {
    name: "migrate",
    summary: "Migrate the database to this version, as startup does",
    options: {},
    schema: "upgraded",
    interruptionNotice: "Migrations are applied together or not at all. Run the command again.",
    run: (_context, _given, { migrated = [] }) => Promise.resolve({ migrated: [...migrated] }),
  },
  {
    name: "secret rotate",
    summary: "Generate a new current secret; the service uses it from its next start",
    options: { name: { value: "NAME", description: "Which secret", isRequired: true, choices: ROTATABLE_SECRETS } },
    async run(context, given, { secretsFile }) {
      const name = given.choice("name", ROTATABLE_SECRETS);
      const { keyId } = await rotateSecret(context, { name, secretsFile });
      return { name, key_id: keyId ?? null, next: "Restart every process of the service" };
    },
  },
  {
    name: "secret rewrap",
    summary: "Rewrap sealed secrets under the current key of KEKS, so that older keys can be removed",
    options: {},
    interruptionNotice: "Some secrets are rewrapped. Run the command again for the rest.",
    async run(context, _given, { stderr }) {
      const progress = createProgress(stderr, "secret rewrap");
      const { keyId, rewrapped } = await rewrapSecrets(context, (name, count, share) => {
        const text = `${name}: ${count} rewrapped`;
        progress.at(share, text);
        progress.done(text);
      }).finally(progress.end);
      return { key_id: keyId, rewrapped };
    },
  },
  {
    name: "secret forget",
    summary: "Accept that a secret is replaced or missing at the next start",
    options: { id: { value: "ID", description: "As named by the refused start, e.g. pepper:k1", isRequired: true } },
    schema: "any",
    async run(context, given) {
      const { secretId } = await forgetSecret(context, { secretId: given.text("id") });
      return { id: secretId, forgotten: true };
    },
  },
];
