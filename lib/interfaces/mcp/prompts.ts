import type { McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";

import { advertise } from "./advertise";

const Given = z.string().min(1).max(200);

const LIMITS =
  "Say what you looked at, what supports each explanation and what you could not see. Every finding has harmless causes: name those that fit. Imprint recommends no action, and neither do you: present the options and leave the decision to the person.";

const steps = (...texts: readonly string[]): string => texts.map((text, index) => `${index + 1}. ${text}`).join("\n");

type Prompt<Given extends z.ZodObject> = {
  name: string;
  title: string;
  description: string;
  input: Given;
  write: (given: z.output<Given>) => string;
};

/** Returns a function that registers a prompt. Its text becomes the person's message. */
const definePrompt =
  <Given extends z.ZodObject>({ name, title, description, input, write }: Prompt<Given>) =>
  (server: McpServer) =>
    server.registerPrompt(
      name,
      { title, description, argsSchema: advertise(input, { isChecked: true, isOutlined: false }) },
      (given) => ({ messages: [{ role: "user", content: { type: "text", text: write(input.parse(given)) } }] }),
    );

const investigateLockout = definePrompt({
  name: "investigate_lockout",
  title: "Why was this user stopped?",
  description:
    "Finds out, from an account's visits, why its user was refused or challenged and whether that was right.",
  input: z.object({
    account: Given.describe("The site's own primary key of the user, or acc_…"),
    when: Given.optional().describe("About when it happened, for example 2026-01-31 or yesterday evening"),
  }),
  write: ({ account, when }) =>
    [
      `The user with the account ${JSON.stringify(account)} says that they were refused or challenged${when === undefined ? " lately" : ` (${when})`}. Find out why, and whether it was right.`,
      steps(
        "svc_find_visits with this account, and from and to around that time. Compare devices, countries and statuses with what is usual for the account.",
        "svc_explain_report for the newest visits that are not PASS, three at most: which rule fired, and on which values.",
        "svc_get_device for the device of such a visit: is it new, does it belong to other accounts too, was it recognised by its token?",
        "svc_find_visits with its address, if you may see it: is the account the only one there, or do many devices share the address?",
      ),
      "If no visit of the account is suspicious, the refusal did not come from Imprint's verdict: say so.",
      LIMITS,
    ].join("\n\n"),
});

const investigateAttack = definePrompt({
  name: "investigate_attack",
  title: "What is this attack?",
  description: "Describes a wave of suspicious visits: its size, sources, methods and target accounts.",
  input: z.object({
    about: Given.optional().describe("What was noticed: an address, a network, a reason, a device or a description"),
    from: Given.optional().describe("When it began, for example 2026-01-31; default: the last seven days"),
  }),
  write: ({ about, from }) =>
    [
      `There seems to be an attack on the site${about === undefined ? "" : `, noticed by: ${JSON.stringify(about)}`}. Describe it${from === undefined ? ", over the last seven days" : ` from ${JSON.stringify(from)} on`}.`,
      steps(
        "svc_find_visits with status DECEPTIVE and that time, limit 0: total, devices, reasons, countries and connections. Do the same for the preceding period, to know what is usual.",
        "svc_find_visits again, narrowed by the reason, network or address that stands out. Many visits of one device suggest an account farm; many devices with one visit each suggest a client that keeps no storage.",
        "svc_get_device for the busiest device: how many accounts, and since when.",
        "svc_explain_report for one visit of each kind: how it was detected.",
      ),
      "Then report in this order: size and time; sources; methods; which accounts were affected; whether it is still going on; what would distinguish these visits from those of real users.",
      LIMITS,
    ].join("\n\n"),
});

const weeklyReview = definePrompt({
  name: "weekly_review",
  title: "Review of the week",
  description: "What changed in the last seven days compared with the seven before: visits, verdicts, reasons, units.",
  input: z.object({}),
  write: () =>
    [
      "Review the last seven days of this workspace and compare them with the seven days before.",
      steps(
        "svc_find_visits with limit 0 for each of the two weeks: totals, devices, statuses, reasons, countries.",
        "For each reason or country that at least doubled and has ten visits or more: svc_find_visits narrowed to it, and svc_explain_report for one of its visits.",
        "svc_get_usage for the same days: report units, refused calls, and whether the month's units will last.",
      ),
      "Write one table of both weeks, then at most five sentences on what changed and why, then what deserves a closer look.",
      LIMITS,
    ].join("\n\n"),
});

/** Registers the prompts that a person can start from. Each names the tools, their order and what to report. */
export function registerPrompts(server: McpServer): void {
  for (const register of [investigateLockout, investigateAttack, weeklyReview]) register(server);
}
