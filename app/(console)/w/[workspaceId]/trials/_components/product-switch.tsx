"use client";

import type { Action } from "@/components/ui/action-result";
import { Confirm } from "@/components/ui/confirm";
import { Button } from "@/components/ui/button";

type Props = {
  isEnabled: boolean;
  /** Whether a price is configured: without one the product was never on sale. */
  isPriced: boolean;
  setEnabled: Action<{ isEnabled: boolean }, unknown>;
};

/** Switches the sale of the product on or off. */
export function ProductSwitch({ isEnabled, isPriced, setEnabled }: Props) {
  if (isEnabled && !isPriced) return null;
  if (isEnabled) {
    return (
      <Confirm
        trigger={<Button variant="danger">Take off sale</Button>}
        title="Take the trial off sale?"
        confirmLabel="Take off sale"
        action={setEnabled}
        input={{ isEnabled: false }}
        done="The trial is off sale"
      >
        New purchases are refused from then on. Purchases that have begun continue, and running trials stay as they are.
      </Confirm>
    );
  }
  return (
    <Confirm
      trigger={<Button variant="primary">Put on sale</Button>}
      title="Put the trial on sale?"
      confirmLabel="Put on sale"
      isSafe
      action={setEnabled}
      input={{ isEnabled: true }}
      done="The trial is on sale"
    >
      Software agents can buy it as soon as nothing of the list is missing.
    </Confirm>
  );
}
