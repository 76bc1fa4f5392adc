import { countryName } from "./country-name";
import { WorldMap } from "./world-map";

type Country = { countryCode: string; count: number };

/** Countries on a map and as a list, most frequent first. `what` is counted, e.g. "addresses". */
export function CountryList({ countries, what }: { countries: readonly Country[]; what: string }) {
  const counts = countries.map(({ countryCode, count }) => `${countryName(countryCode)} ${count}`).join(", ");
  if (countries.length === 0) return <p className="px-4 py-3 text-fg-muted">No country is known.</p>;
  return (
    <div className="p-4">
      <WorldMap label={`Map, ${what} by country: ${counts}`} marks={countries} />
      <ul className="mt-2 flex flex-wrap gap-x-4 gap-y-1">
        {countries.map(({ countryCode, count }) => (
          <li key={countryCode}>
            {countryName(countryCode)} <span className="text-fg-muted">{count}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
