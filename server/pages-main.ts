import { run } from "./lifecycle";
import { startPages } from "./pages";

/** The process of the pages, in a bundle of its own: that of the server has three times as much to load. */
run(startPages);
