import { ANALYST, type ConsoleFixture, OWNER } from "./console-fixture";

const DAYS = 20;

/** Creates a workspace with demo data, an owner and an analyst; returns the URL of its Overview. */
export async function fillWithDemoData(fixture: ConsoleFixture): Promise<string> {
  const workspace = await fixture.service.admin("workspace", "create", "--name", "Analysts", "--plan", "pro");
  const id = workspace["workspace_id"] ?? "";
  await fixture.service.admin("demo-data", "--workspace", id, "--days", String(DAYS));
  await fixture.addMember(id, OWNER, "owner");
  await fixture.addMember(id, ANALYST, "analyst");
  return `${fixture.service.url}/w/${id}`;
}
