import { ANALYST, type ConsoleBench, OWNER } from "./console-bench";

const DAYS = 20;

/** Creates a workspace with demo data, an owner and an analyst; returns the URL of its Overview. */
export async function fillWithDemoData(bench: ConsoleBench): Promise<string> {
  const workspace = await bench.service.admin("workspace", "create", "--name", "Analysts", "--plan", "pro");
  const id = workspace["workspace_id"] ?? "";
  await bench.service.admin("demo-data", "--workspace", id, "--days", String(DAYS));
  await bench.addMember(id, OWNER, "owner");
  await bench.addMember(id, ANALYST, "analyst");
  return `${bench.service.url}/w/${id}`;
}
