// What kind of detail a question asks for, and whether a text holds something of that kind.

/** A kind of detail that can be recognised by its form. */
export type Kind =
  | 'code'
  | 'money'
  | 'count'
  | 'date'
  | 'time'
  | 'phone'
  | 'email'
  | 'place'
  | 'person'
  | 'rule'
  | 'path';

interface KindRule {
  readonly asked: RegExp;
  readonly found: RegExp;
}

const NUMBER_WORD =
  'one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|hundred|thousand';
const MONTH =
  'Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sep(?:t(?:ember)?)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?';
const DAY = '(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day';

// The order counts: the first kind asked for is the one that the question is about.
const RULES: Readonly<Record<Kind, KindRule>> = {
  phone: {
    asked: /\b(?:phone|telephone|mobile|cell)\b|\bcall\b.*\bnumber\b|电话|手机/iu,
    found: /\+?\d[\d ()-]{5,}\d/u,
  },
  email: { asked: /\be-?mail\b|邮箱|邮件地址/iu, found: /[\w.+-]+@[\w-]+\.[\w.-]+/u },
  money: {
    asked:
      /\bhow much\b|\b(?:price|cost|fee|fare|amount|deposit|refund|total|budget|paid|pay|charge[ds]?|balance|savings?|salary|rent|invoice|quote)\b|多少钱|价格|费用|票价|门票|押金|金额|人均|花费|总价/iu,
    found:
      /[$€£¥]\s?\d|\d[\d,.]*\s?(?:元|块|美元|欧元|dollars?|euros?|pounds?|USD|EUR|GBP|CNY)|"[^"]*(?:price|cost|amount|total|fee|fare|refund|balance|deposit|premium|excess|charge|paid|salary|rent|_eur|_usd|_gbp|_cny)[^"]*":\s*-?\d/iu,
  },
  code: {
    // "the contract number", but not "the number of contracts".
    asked:
      /\b(?:ids?|codes?|references?|identifiers?|confirmations?|pnr|serial|licen[cs]e|plate|tracking)\b|\b(?!(?:the|a|any|what|right|exact|give|this)\b)\w+\s(?:numbers?\b(?!\sof\b)|no\.)|号码|[编单证]号|代码|航班号|预[订定]号|车牌/iu,
    found:
      /(?<![\w-])(?!\d+(?:st|nd|rd|th|am|pm|s|h|m|km|kg|cm|mm|GB|MB|k|K)\b)(?!\d{4}-\d\d-\d\d)(?:(?=[\w#-]*\d)(?=[\w#-]*[A-Za-z])[\w#][\w#-]{3,}|[A-Z]{6}|\d{5,}|#\w*\d\w*)(?![\w-])/u,
  },
  count: {
    asked:
      /\bhow (?:many|often|long|far|old|large|big|tall|high|deep|heavy|wide)\b|\bnumber of\b|\bpercent|几[个位人次天晚年]|多少|多久|多远|多大/iu,
    found: new RegExp(`\\d|\\b(?:${NUMBER_WORD})\\b|[一二两三四五六七八九十百千]+[个位人次天晚年]`, 'iu'),
  },
  time: {
    asked: /\bwhat time\b|\bhour\b|\bopening hours\b|几点|时间/iu,
    found: /\b\d{1,2}:\d{2}\b|\b\d{1,2}\s?[ap]\.?m\b|\bnoon\b|\bmidnight\b|\d{1,2}[点时]/iu,
  },
  date: {
    asked: /\bwhen\b|\b(?:date|day|deadline|month|year|birthday)\b|什么时候|哪天|几号|几月|日期|何时/iu,
    found: new RegExp(
      `\\d{4}-\\d{2}-\\d{2}|\\b(?:${MONTH})\\.?\\s\\d{1,2}|\\b\\d{1,2}(?:st|nd|rd|th)?\\s(?:of\\s)?(?:${MONTH})\\b|\\b${DAY}s?\\b|\\b(?:19|20)\\d{2}\\b|\\d{1,2}月|\\d{1,2}[日号]|(?:周|星期|礼拜)[一二三四五六日天]|\\b(?:today|tomorrow|yesterday|tonight|last|next) ?(?:week|month|year|${DAY})?\\b`,
      'iu',
    ),
  },
  place: {
    asked: /\bwhere\b|\b(?:address|city|town|street|located|location)\b|地址|哪里|哪儿|在哪|位置/iu,
    found:
      /\b(?:in|at|near|from|to|on)\s(?:the\s)?\p{Lu}[\p{L}'’-]+|\b(?:Street|Avenue|Road|Lane|Square|Drive)\b|"(?:address\w*|city|origin|destination|place|site)":|\p{Script=Han}(?:路|街|区|市|镇|楼|号)/u,
  },
  person: {
    asked: /\bwho(?:m|se)?\b|\bnames?\b|谁|哪位|名字|姓名|叫什么/iu,
    found:
      /(?<=[\p{Ll},:;"(]\s?)\p{Lu}[\p{L}'’-]+(?:\s\p{Lu}[\p{L}'’-]+)*|"[^"]*name":\s*"[^"]+"|叫\p{Script=Han}+|名[字称]|\p{Script=Han}(?:先生|女士|师傅|老师|经理)/u,
  },
  path: {
    asked:
      /\b(?:file|path|folder|directory|command|url|link|function|method|class|line)\b|文件|路径|命令|网址/iu,
    found:
      /https?:\/\/\S+|(?:[\w.-]+\/)+[\w.-]+|\b[\w-]+\.(?:py|js|ts|json|md|txt|cfg|toml|ya?ml|html|css|pdf|csv)\b|\b\w+\(\)|`[^`]+`/u,
  },
  rule: {
    asked:
      /\b(?:rules?|polic(?:y|ies)|allowed|permitted|forbidden|must|required|limits?)\b|规定|规则|规矩|必须|不能|允许/iu,
    found:
      /\b(?:never|always|must|only|not allowed|no later than|at most|at least|under no circumstances|do not|don't|cannot|can't)\b|不要|不能|不得|必须|务必|只能|一律/iu,
  },
};

const ORDER: readonly Kind[] = [
  'phone',
  'email',
  'code',
  'money',
  'count',
  'time',
  'date',
  'rule',
  'place',
  'person',
  'path',
];

/** The kinds of detail a question asks for, the most telling first; empty when its form does not say. */
export function askedKinds(question: string): readonly Kind[] {
  return ORDER.filter((kind) => RULES[kind].asked.test(question));
}

/** True when a text holds something of this form; of a member of JSON the value counts, where its key says nothing. */
export function holdsKind(text: string, kind: Kind, isMember = false): boolean {
  const shown = isMember && !KEY_TELLS.has(kind) ? text.slice(text.indexOf('":') + 2) : text;
  return RULES[kind].found.test(shown);
}

/** Where in a text things of this form stand, in UTF-16 units. */
export function placesOfKind(text: string, kind: Kind): readonly number[] {
  const { source, flags } = RULES[kind].found;
  return Array.from(text.matchAll(new RegExp(source, `${flags}g`)), ({ index }) => index);
}

const KEY_TELLS: ReadonlySet<Kind> = new Set(['money', 'person', 'place']);

/** True when the key of a member of JSON says no more than the form of its value, as `"id"` does. */
export function hasBareKey(member: string): boolean {
  return /^"(?:id|number|no|code|reference|key|name|value|text|price|cost|amount|total|date|time|phone|email|address|编号|名称|价格|电话)":/iu.test(
    member,
  );
}
