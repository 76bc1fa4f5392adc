import { isDeepStrictEqual } from "node:util";

import { createChance } from "@/lib/operations/demo/domain/chance";
import { planVisits } from "@/lib/operations/demo/plan-visits";
import type { CleanUp } from "../../common/command";
import { connectTo } from "../../common/connection";
import { embeddedDatabaseUrl } from "../../common/embedded-database";
import { accessToken, OAuthUser, SCOPES } from "../../common/oauth-user";
import { adminTexts, runAdmin, useTestBuild } from "../../common/processes";
import { makeDataDir, startService } from "../../common/service";
import { connectClient } from "./client";
import { type Known, QUESTIONS } from "./questions";
import { openTruth, type Truth } from "./truth";

const EMAIL = "analyst@example.com";
const DAYS = 60;
/** Clients may send ten requests per second. */
const PAUSE_MS = 150;

async function openService(cleanUp: CleanUp, seed: number) {
  const dataDir = makeDataDir(cleanUp);
  const { url, env } = await startService({ cleanUp, dataDir });
  const create = ["workspace", "create", "--name", "Evaluation", "--plan", "enterprise"];
  const { workspace_id: workspaceId } = await adminTexts(create, env, "workspace_id");
  const demo = ["demo-data", "--workspace", workspaceId, "--days", String(DAYS), "--seed", String(seed)];
  const { account } = await adminTexts(demo, env, "account");
  await runAdmin(["member", "add", "--workspace", workspaceId, "--email", EMAIL, "--role", "owner"], env);
  const user = new OAuthUser(url);
  await user.signIn((await adminTexts(["login-link", "--email", EMAIL], env, "url")).url);
  const token = await accessToken(url, user, { workspaceId, scopes: SCOPES });
  return { url, dataDir, workspaceId, account, token };
}

/**
 * SQL condition for the visits that the demo data plans for an account, by time: the plan for a day is always the same.
 */
function plannedFor(account: string, seed: number): string {
  const planned = planVisits(createChance(seed), new Date(), DAYS).filter(({ accountRef }) => accountRef === account);
  const times = planned.map(({ at }) => at.toISOString());
  return `workspace_id = $w and recorded_at = any ('{${times.join()}}'::timestamptz[])`;
}

/**
 * Chooses a returning visitor at home that a person might ask about: recognised by its token, with a known location.
 */
async function chooseKnown(truth: Truth, account: string, seed: number): Promise<Known> {
  const chosen = `from visits where workspace_id = $w and recognition = 'token' and connection_type = 'residential'
    and report::json->'network'->'location'->>'city' is not null order by recorded_at desc, event_id desc limit 1`;
  return {
    account,
    ofAccount: plannedFor(account, seed),
    device: await truth.id("device", `select device_id ${chosen}`),
    imprint: await truth.id("imprint", `select event_id ${chosen}`),
    address: await truth.text(`select host(address) ${chosen}`),
  };
}

export type Answered = { text: string; isRight: boolean; calls: number; tokens: number; says: string };

/** Asks every question through the tools and compares the answers with the tables. */
export async function runEvaluation(cleanUp: CleanUp, options: { seed: number; progress: (text: string) => void }) {
  useTestBuild();
  options.progress("Starting the service with demonstration data");
  const { url, dataDir, workspaceId, account, token } = await openService(cleanUp, options.seed);
  const sql = connectTo(embeddedDatabaseUrl(dataDir));
  cleanUp.push(() => sql.end());
  const truth = openTruth(sql, workspaceId);
  const known = await chooseKnown(truth, account, options.seed);
  const client = await connectClient(url, token);
  const answered: Answered[] = [];
  for (const { text, ask, truth: tell } of QUESTIONS) {
    options.progress(`${answered.length + 1} of ${QUESTIONS.length}: ${text}`);
    const counting = client.open();
    const answer = await ask(counting, known).catch((error: unknown) => String(error));
    const right = await tell(truth, known);
    const says = `answered ${JSON.stringify(answer)}, should be ${JSON.stringify(right)}`;
    answered.push({ text, isRight: isDeepStrictEqual(answer, right), ...counting.spent, says });
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS * counting.spent.calls));
  }
  await client.close();
  return { answered, listed: client.listed };
}
