import { expect, test } from "vitest";

import type { Evidence, EvidenceVisit } from "./domain/evidence";
import { evidenceHtml } from "./domain/evidence-html";
import { evidenceCsv } from "./evidence-csv";

const PAGES = 20;
const evidence: Evidence = { visits: PAGES, isCut: false, accounts: [], devices: [], addresses: [] };

const visitOf = (number: number): EvidenceVisit => ({
  ...{ imprint: `imp_${number}`, deviceId: "dev_1", accountId: undefined, recordedAt: new Date(number) },
  ...{ webApp: "Shop", surface: "default", origin: "https://a.example", status: "PASS", reasons: [], ruleIds: [] },
  ...{ rulesVersion: "1", browser: undefined, system: undefined, address: undefined, countryCode: undefined },
  ...{ asn: undefined, connection: undefined, reportSha256: "00" },
});

test.each(["csv", "html"])("each page of visits is in the %s file before the next one is read", async (format) => {
  let read = 0;
  async function* pages() {
    for (; read < PAGES;) {
      read += 1;
      yield await Promise.resolve([visitOf(read)]);
    }
  }
  const document = { title: "", workspaceId: "", madeAt: new Date(0), madeBy: "", evidence, file: undefined };
  const parts = format === "csv" ? evidenceCsv(evidence, pages()) : evidenceHtml(document, pages());
  let text = "";
  for await (const part of parts) {
    text += part;
    expect(text.split("imp_").length - 1).toBe(read);
  }
  expect(read).toBe(PAGES);
});
