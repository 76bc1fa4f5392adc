import type { Context } from "@/lib/platform/context";
import { readKeyUses } from "@/lib/tenancy/api-keys";
import type { KeyUsesAnswer } from "../_components/key-uses";

/** The uses of a key, for its page and for polling. */
export async function answerKeyUses(
  context: Context,
  key: { workspaceId: string; keyId: string },
): Promise<KeyUsesAnswer> {
  const { uses, addressesVisible } = await readKeyUses(context, key);
  return {
    at: context.now.toISOString(),
    addressesVisible,
    uses: uses.map(({ firstAt, lastAt, ...use }) => ({
      ...use,
      firstAt: firstAt.toISOString(),
      lastAt: lastAt.toISOString(),
    })),
  };
}
