import { Link } from "@/components/ui/link";

import { Chip } from "@/components/ui/chip";
import { Id } from "@/components/ui/id";
import { Facts, Panel } from "@/components/ui/panel";
import { Amount } from "./amount";

type Price = { network: string; asset: string; payTo: string; amount: { atomic: string; text: string | undefined } };
type Props = { isEnabled: boolean; isAvailable: boolean; missing: readonly string[]; price: Price | undefined };

/** Whether the trial is on sale, its price, and what prevents a sale. */
export function ProductPanel({ isEnabled, isAvailable, missing, price }: Props) {
  const state = isAvailable ? "on sale" : isEnabled ? "cannot be sold yet" : "off sale";
  return (
    <Panel id="product" title="Product" aside={<Chip isActive={isAvailable}>{state}</Chip>}>
      {missing.length > 0 ? (
        <div className="border-b px-4 py-3">
          <p className="font-medium">What is missing</p>
          <ul className="mt-1 list-disc pl-5">
            {missing.map((text) => (
              <li key={text} className="wrap-anywhere">
                {text}
              </li>
            ))}
          </ul>
          <p className="mt-2 text-fg-muted">
            Payments are configured through the variables <code className="font-mono text-xs">X402_*</code> of the
            server.{" "}
            <Link className="link" href="/docs/agent-trial#for-operators-sell-trials">
              How to sell
            </Link>
          </p>
        </div>
      ) : null}
      <Facts
        rows={
          price
            ? [
                { name: "Price", value: <Amount {...price.amount} /> },
                { name: "Network", value: <span className="font-mono text-xs">{price.network}</span> },
                { name: "Token", value: <Id value={price.asset} copy="hover" /> },
                { name: "Paid to", value: <Id value={price.payTo} copy="hover" /> },
                { name: "Sold", value: "100 Reports within 72 hours, one origin, one key" },
              ]
            : [
                { name: "Price", value: <span className="text-fg-muted">none is quoted while it is not on sale</span> },
                { name: "Sold", value: "100 Reports within 72 hours, one origin, one key" },
              ]
        }
      />
    </Panel>
  );
}
