// What some kinds of judging have beside the keys and forms that all of them share, by stage.
import { Development } from "./judge-development.js";
import { Matches } from "./judge-matches.js";
import { Nuggets } from "./judge-nuggets.js";
import { Parts } from "./judge-parts.js";

export const TOOLS = { nuggets: Nuggets, matches: Matches, citations: Matches, parts: Parts, development: Development };
