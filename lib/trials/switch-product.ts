import { recordAudit, SYSTEM_WORKSPACE_ID } from "@/lib/platform/audit";
import { type Context, requireOperator } from "@/lib/platform/context";
import { PRODUCT_CODE } from "@/lib/contract/product";
import { saveProductSwitch } from "./queries-grants";

/**
 * Takes the product off sale, or puts it on sale again. Started purchases are not affected.
 *
 * @throws AppError `forbidden`
 */
export async function switchProduct(context: Context, { isEnabled }: { isEnabled: boolean }) {
  requireOperator(context);
  await context.db.transaction(async (tx) => {
    if (!(await saveProductSwitch(tx, PRODUCT_CODE, isEnabled))) return;
    await recordAudit(tx, context, {
      workspaceId: SYSTEM_WORKSPACE_ID,
      action: isEnabled ? "product.enable" : "product.disable",
      target: PRODUCT_CODE,
    });
  });
  return { productCode: PRODUCT_CODE, isEnabled };
}
