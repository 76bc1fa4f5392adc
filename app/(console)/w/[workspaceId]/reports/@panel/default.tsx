/** No Report is open beside the list. */
export default function NoPanel() {
  return null;
}
