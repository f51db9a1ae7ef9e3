// Words that say nothing about what a query is after: they are searched, but hardly count beside others.

const ENGLISH = `
a about above after again against all also am an and any are aren as at be because been before being below between
both but by can cannot could couldn did didn do does doesn doing don down during each few for from further get got had
hadn has hasn have haven having he her here hers herself him himself his how i if in into is isn it its itself just ll
m me more most mustn my myself no nor not of off on once only or other our ours ourselves out over own please re s same
shan she should shouldn so some such t tell than that the their theirs them themselves then there these they this
those through to too under until up us ve very was wasn we were weren what when where which while who whom whose why
will with won would wouldn you your yours yourself yourselves d dont doesnt didnt isnt wasnt arent cant wont couldnt
wouldnt shouldnt havent hasnt hadnt did
`;
const CHINESE = `
的 了 是 在 我 你 他 她 它 和 与 及 或 吗 呢 吧 啊 有 个 这 那 哪 什么 怎么 怎样 如何 为什 哪个 哪些 哪里 多少 我们 你们 他们 她们 它们
这个 那个 这些 那些 一个 一下 可以 是否 是不 不是 有没 没有 的是 请问 告诉 诉我 之前 关于
`;
const JAPANESE = `の は を に が と で も か です ます した する して こと これ それ あれ どの この その ある いる 何 何が 何を ですか ました`;

const stopWords: ReadonlySet<string> = new Set(`${ENGLISH} ${CHINESE} ${JAPANESE}`.trim().split(/\s+/));

/** Whether a case-folded word is one of the commonest function words of English, Chinese or Japanese. */
export function isStopWord(surface: string): boolean {
  return stopWords.has(surface);
}
