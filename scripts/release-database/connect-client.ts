import { createHash, randomBytes } from "node:crypto";

const CALLBACK = "http://localhost:9/callback";
const SCOPES = "svc.report.lite svc.report.pro svc.history.read svc.usage.read";

/** @param {string} url @param {URLSearchParams} form */
async function askTokens(url, form) {
  const response = await fetch(`${url}/oauth/token`, { method: "POST", body: form });
  const body = await response.json();
  if (!response.ok) throw new Error(`/oauth/token answered ${response.status}: ${JSON.stringify(body)}`);
  return body;
}

/**
 * Connects an MCP client as a person does it: registration, consent in the browser, tokens.
 *
 * @param {{ url: string, env: NodeJS.ProcessEnv }} service
 * @param {import("playwright-core").Page} page where a person is signed in
 * @param {string} workspaceId
 */
export async function connectClient({ url, env }, page, workspaceId) {
  const registration = await fetch(`${url}/oauth/register`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({
      client_name: "Ledger agent",
      redirect_uris: [CALLBACK],
      token_endpoint_auth_method: "none",
    }),
  });
  const { client_id: clientId } = await registration.json();
  const verifier = randomBytes(32).toString("base64url");
  const resource = `${env.BASE_URL}/mcp`;
  const query = new URLSearchParams({
    response_type: "code",
    client_id: clientId,
    redirect_uri: CALLBACK,
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
    resource,
    scope: SCOPES,
  });
  await page.goto(`${env.BASE_URL}/oauth/authorize?${query.toString()}`);
  const choice = page.getByRole("combobox");
  if ((await choice.count()) > 0) await choice.first().selectOption(workspaceId);
  const away = page.waitForRequest((request) => request.url().startsWith(CALLBACK));
  await page.getByRole("button", { name: "Allow" }).click();
  const code = new URL((await away).url()).searchParams.get("code") ?? "";
  const tokens = await askTokens(
    url,
    new URLSearchParams({
      grant_type: "authorization_code",
      client_id: clientId,
      code,
      code_verifier: verifier,
      redirect_uri: CALLBACK,
      resource,
    }),
  );
  return { clientId, workspaceId, accessToken: tokens.access_token, refreshToken: tokens.refresh_token };
}
