"use server";

import { z } from "zod";

import { answerAction } from "@/app/_server/action";
import type { OriginVerdict } from "@/components/ui/origin-verdict";
import { AppError } from "@/lib/contract/errors";
import { parseOrigin } from "@/lib/tenancy/web-apps";

const Texts = z.array(z.string().max(2_000)).max(400);

function verdictOn(text: string): OriginVerdict {
  const parsed = parseOrigin(text);
  if (parsed.ok) return { text, ok: true, origin: parsed.origin };
  const { explanation, suggestion } = parsed;
  return { text, ok: false, explanation, ...(suggestion === undefined ? {} : { suggestion }) };
}

/** Validates each text as an origin and returns the reason if it is invalid. Needs no session: it reads no data. */
export const explainOriginsAction = async (texts: string[]) =>
  answerAction(() => {
    const parsed = Texts.safeParse(texts);
    if (!parsed.success)
      throw new AppError("invalid_request", { message: "That is too much text for a list of origins" });
    return Promise.resolve(parsed.data.map(verdictOn));
  });
