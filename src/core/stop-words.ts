// Words that say nothing about what a query is after: they are searched, but hardly count beside others.

const ENGLISH = `
a an the and or but if of in on at to for with by from as into about is are was were be been being am do does did doing
done have has had having i me my mine myself you your yours yourself he him his himself she her hers herself it its
itself we us our ours ourselves they them their theirs themselves this that these those there here then than so
what which who whom whose when where why how can could will would should shall may might must cannot not no please
s t d ll m re ve don doesn didn isn aren wasn weren won wouldn couldn shouldn haven hasn hadn
dont doesnt didnt isnt arent wasnt werent wont wouldnt couldnt shouldnt havent hasnt hadnt cant im ive youre
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
