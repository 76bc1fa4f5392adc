import { countText } from "@/components/ui/counted";
import { Table, Td } from "@/components/ui/table";
import type { LinkControl } from "@/lib/visits/devices";

const shareText = (share: number) => `${(share * 100).toFixed(share < 0.1 ? 2 : 0)} %`;

function stateText({ isOpen, isAlarmed }: Pick<LinkControl["places"][number], "isOpen" | "isAlarmed">): string {
  if (isOpen) return "Linking";
  return isAlarmed ? "Held back: wrong lately" : "Held back";
}

/** Places in which visits without a token are linked to a device: a summary, and a table by kind of place. */
export function LinkControlDetails({ returned, links, wrong, places }: LinkControl) {
  const open = places.filter(({ isOpen }) => isOpen).length;
  const areOthersArriving = places.some((place) => place.areOthersArriving);
  return (
    <>
      <p className="px-4 py-3 text-fg-muted">
        {returned === 0
          ? "No token that was new here has come back so far. Until some two hundred have, every visit without its token is a new device."
          : `${countText(returned)} new tokens came back in 120 days, and ${countText(wrong)} of ${countText(links)} links, made or held back, were disproved by them. Links are made in ${open} of ${places.length} kinds of places.`}
      </p>
      {areOthersArriving ? (
        <p className="px-4 pb-3">
          In the last week, more visits than before came from a second machine of a model that was known in their
          network. Such machines can look the same, so nothing is linked anywhere until fewer arrive.
        </p>
      ) : null}
      {places.length === 0 ? null : (
        <Table
          label="Where visits without a token are linked"
          columns={[
            "Devices",
            "Network",
            "Model",
            "Machine known for",
            "Links",
            "Disproved",
            "New devices linked wrongly, at most",
            "State",
          ]}
        >
          {places.map(({ system, network, model, known, ...place }) => (
            <tr key={`${system} ${network} ${model} ${known}`}>
              <Td>{system === "desktop" ? "Desktops" : "Phones and tablets"}</Td>
              <Td>{network}</Td>
              <Td>{model}</Td>
              <Td>{known}</Td>
              <Td>{countText(place.links)}</Td>
              <Td>{countText(place.wrong)}</Td>
              <Td>{shareText(place.bound)}</Td>
              <Td>{stateText(place)}</Td>
            </tr>
          ))}
        </Table>
      )}
    </>
  );
}
