// Every sentence that the page says, in Chinese.
import type { Words } from './en.js';
import { zhArchive } from './zh-archive.js';
import { bytes, LANGUAGE, messages, n } from './zh-figures.js';
import { zhFiles } from './zh-files.js';
import { zhThreads } from './zh-threads.js';

const speakers = new Map([
  ['human', '你'],
  ['ai', '助手'],
  ['tool', '工具结果'],
]);

const roles = new Map([
  ['user', '你'],
  ['assistant', '助手'],
  ['tool', '工具'],
]);

/** What kept the archive from its work; the package names it by a code. */
const failures = new Map([
  ['quota', '浏览器不再提供存储空间'],
  ['ceiling', '内容超过了单个存档的上限'],
  ['locked', '另一个标签页一直占用着它'],
  ['corrupt', '文件已损坏'],
  ['unsupported', '浏览器不支持'],
  ['worker-lost', '后台线程意外结束'],
  ['deadline', '等待超时'],
  ['internal', '内部错误'],
]);
const failureOf = (failure: string) => failures.get(failure) ?? failure;

/** Why a compaction came to nothing; of others the package's own sentence tells. */
const reasons = new Map([
  ['blank', '模型给出的摘要是空的。'],
  ['aborted', '生成摘要时运行被停止了。'],
  ['timeout', '模型没有在限定时间内给出摘要。'],
  ['not-shorter', '摘要并不比原文短。'],
  ['nothing-to-summarize', '剩下的都是必须保留的内容。'],
  ['still-over', '必须保留的内容本身就超过了阈值。'],
]);

/** The words of the page in Chinese. */
export const zh: Words = {
  ...zhFiles,
  ...zhArchive,
  ...zhThreads,
  language: LANGUAGE,
  chooseLanguage: '语言 · Language',
  number: n,

  brand: 'threadkeep',
  conversations: '对话',
  noConversations: '还没有对话。',
  newThread: '新对话',
  newHint: '还没有说过话。你在这里说的内容，无论对话以后变得多长，都可以再问出来。',
  findThread: '搜索对话',
  noThreadFound: (query) => `没有名为“${query}”的对话。`,
  threadsFound: (count) => `找到 ${n(count)} 个对话`,
  threadActions: (title) => `“${title}”的更多操作`,
  rename: '重命名',
  renameTitle: '重命名对话',
  threadTitle: '标题',
  delete: '删除',
  deleteNow: '删除',
  deleteTitle: (title) => `删除“${title}”？`,
  deleteMessages: (count, checkpoints, size) =>
    `${messages(count)}和 ${n(checkpoints)} 个检查点，约 ${bytes(size)}`,
  deleteSummary: '对话的摘要和助手的笔记',
  deleteArchiveLine: '对话的存档：已移出模型窗口的原文',
  deleteArchiveOf: (batches, sources, size) =>
    `对话的存档：${n(batches)} 批、${n(sources)} 条原文，${bytes(size)}`,
  deleteNoArchive: '对话没有存档',
  deleteTyped: '在这里输入但没有发送的内容',
  deleteFinal: '以上内容将从此浏览器中全部移除，无法恢复。',
  deleted: (title) => `已删除“${title}”。`,
  notDeleted: (title, detail) => `“${title}”没有完全删除：${detail}`,
  archiveNotForgotten: (failure) => `无法移除它的存档（${failureOf(failure)}）。`,
  notebook: '笔记本',
  beside: '笔记本、时间线、搜索和存档',
  tab: { notes: '笔记本', timeline: '时间线', search: '搜索', archive: '存档' },
  timelineHint: '回到某次回答结束的地方，从那里换一个方向继续。',
  reading: '正在读取…',
  noMoments: '还没有发生过什么。',
  earlier: '查看更早的记录',
  moment: (kind, said) =>
    kind === 'compacted'
      ? '手动压缩'
      : kind === 'undone'
        ? '已撤销压缩'
        : kind === 'recorded'
          ? '刚打开时'
          : (said ?? '开头'),
  now: '现在',
  cutOff: '已中断',
  otherBranch: '另一条分支',
  past: (when) => `这是对话在 ${when} 时的样子：当时的消息、笔记、窗口和存档。`,
  goOnHere: '从这里继续',
  backToNow: '回到现在',
  composerPast: '从这里说点什么：会开始一条新分支',
  lookup: '搜索历史',
  lookupHint: '与助手用的是同一种搜索',
  lookupGo: '搜索',
  lookupRole: '说话者',
  lookupRoles: { '': '任何人', user: '你', assistant: '助手', tool: '工具' },
  reach: (count) =>
    count === 0 ? '从这里还没有存档可查，只搜索对话本身。' : `搜索对话以及存档中的 ${n(count)} 个批次。`,
  sourceGone: '从这里读不到这条原文。',
  readOn: '继续读',
  conversation: '对话内容',
  closePanel: '关闭',

  pitch: '完全在这个页面里运行的智能体：上下文窗口放不下的内容，它也能逐字查回来。',
  pitchMore:
    '打开一段对话并继续聊下去。当它长得超出模型的容量时，会在你眼前被压缩；再问一个已经不在窗口里的细节，看助手怎样把它找回来。',
  openSample: '打开示例对话',
  openFile: '打开对话记录…',
  openSampleShort: '打开示例',
  openFileShort: '打开记录…',
  orDrop: '也可以把文件拖到这里。',
  fileKind: '支持 JSON 格式的 OpenAI 聊天消息，或从这里导出的对话。文件不会离开此浏览器。',
  dropNow: '松开即可打开文件',
  refused: (file, reason) => `没有打开 ${file}。${reason}`,
  openedWith: (warnings) =>
    [
      ...warnings.slice(0, 3),
      ...(warnings.length > 3 ? [`另有 ${n(warnings.length - 3)} 条说明。`] : []),
    ].join(''),
  otherParts: (count) => `${n(count)} 个非文本部分`,
  chooseTitle: '打开哪段对话？',
  chooseLead: (file, count) => `${file} 中有 ${n(count)} 段对话。`,
  cancel: '取消',
  messages,

  agent: '助手',
  speaker: (role) => speakers.get(role) ?? role,

  composer: '消息',
  composerHint: '问问这段对话里的任何内容',
  send: '发送',
  stop: '停止',
  suggestions: '推荐问题',
  answering: '助手正在回答。',
  latest: '最新',

  edit: '编辑这条消息',
  editing: '改写这条消息会开始一条新分支，原来的后续内容仍在时间线里。',
  cancelEdit: '取消编辑',
  retry: '重新回答',
  stopped: '在此停止。',
  showWhole: (count) => `显示全部 ${n(count)} 个字符`,
  messageGone: '这条消息已不在对话的这条分支上。',
  messageTools: '消息操作',
  copy: '复制文本',
  copyCode: '复制代码',
  copied: '已复制',
  notCopied: '浏览器不允许复制',

  find: '在此对话中查找',
  findBack: '上一个',
  findOn: '下一个',
  findClose: '关闭查找',
  findNone: '未找到',
  findCount: (at, count, isMore) => `第 ${n(at)} 个，共 ${n(count)} 个${isMore ? '以上' : ''}`,

  unfinished: '上一次运行还没给出回答就结束了。',
  resume: '继续',
  runFailed: (detail) => `运行失败：${detail}`,
  loadFailed: (detail) => `无法读取对话：${detail}`,
  listFailed: (detail) => `无法读取对话列表：${detail}`,
  unknownThread: '此浏览器里没有这个对话，请从列表中打开一个。',
  threadNotMade: (detail) => `无法写入对话：${detail}。没有留下任何内容。`,

  arguments: '参数',
  result: '结果',
  running: '运行中',
  noAnswer: '没有结果',
  failed: '失败',
  call: '调用的原始内容',

  searched: '搜索了历史',
  searching: '正在搜索历史',
  hits: (count) => (count === 0 ? '没有找到' : `${n(count)} 条结果`),
  moreHits: (count) => `还有 ${n(count)} 条结果`,
  onlyRole: (role) => `仅限${roles.get(role) ?? role}的消息`,
  origin: '来源：',
  originOf: { active: '当前对话', archive: '存档' },
  showSource: '在对话中显示',
  notInCheckpoint: '已不在检查点中：这段文字来自存档。',
  removedSince: '此后已从检查点中移除。',
  fallback: '这是原文的开头；命中的词超出了摘录的范围',
  readSource: '读取了原文',
  readingSource: '正在读取原文',
  readRange: (from, to, more) => `第 ${n(from)}–${n(to)} 个字符${more ? '，后面还有' : ''}`,
  noted: '保存了笔记',
  noteDeleted: '删除了笔记',
  noting: '正在保存笔记',
  noteRefused: '笔记没有保存',
  lookupRefused: '查找没有结果',
  cites: '出处',
  uncited: '没有注明出处',
  historyStatus: (status) =>
    status === 'partially_expired'
      ? '存档有一部分已过期。'
      : status === 'unavailable'
        ? '存档不可用，只搜索了检查点。'
        : status === 'empty_query'
          ? '查询里没有可搜索的词。'
          : null,

  noNotes: '助手记下的内容会出现在这里，每条笔记都附有它所依据的消息。',

  left: (count) => `${messages(count)}已移出模型窗口，仍可搜索`,
  removed: (count) => `${messages(count)}已从检查点中移除，存档里仍有原文`,
  removedAndLost: (count) => `${messages(count)}已从检查点中移除，目前无法访问存档`,
  summaryTitle: '模型看到的替代摘要',
  receiptFigures: (covered, tokens) =>
    tokens === null
      ? `一份摘要代替了 ${messages(covered)}。`
      : `一份摘要代替了 ${messages(covered)}：${n(tokens.before)} → ${n(tokens.after)} 个词元（估算）。`,
  receiptFailed: '无法读取压缩明细。',
  missing: '消息里提到、摘要里没有的内容',
  missingHint: '重要的内容可以钉住：它会成为一条笔记，以后每次请求都带上。',
  nothingMissing: '消息里提到的确切信息，摘要里都有。',
  factKind: {
    rule: '规则',
    link: '链接',
    path: '路径',
    identifier: '编号',
    number: '数字',
    name: '名称',
  },
  moreFacts: (count) => `再显示 ${n(count)} 项`,
  pin: '钉住',
  pinFact: (fact) => `把“${fact}”钉为笔记`,
  pinned: '已钉住',
  pinnedFact: (fact) => `已钉为笔记：“${fact}”`,
  pinnedAs: (key) => `已钉为笔记“${key}”。`,
  notesFull: (limit) => `${n(limit)} 条笔记已用完。请先从笔记本中移除一条，再钉住。`,
  undo: '撤销这次压缩',
  undoHint: '模型会像之前一样重新看到这些消息，等对话再变长后才会再次压缩；已存档的内容会保留。',
  undone: '已撤销上一次压缩。',
  undoPruned: '无法撤销：这次压缩已从检查点中移除了消息。',
  removeNote: (key) => `移除笔记“${key}”`,
  noteGone: (key) => `已移除笔记“${key}”。`,
  contextWindow: '上下文窗口',

  context: '上下文',
  contextTitle: '上下文窗口',
  trigger: '压缩阈值（词元）',
  keep: '保留（消息数）',
  settingsWhen: '更改从下一条消息起生效。',
  compactNow: '立即压缩',
  compactPrune: '压缩并清理',
  pruneHint: '清理还会把被概括的消息从检查点中移除，存档里保留原文。',
  pruneNeedsDisk: '清理需要一个不随页面消失的存档。',

  window: (tokens, trigger) => `${n(tokens)} / ${n(trigger)} 个词元`,
  windowTotal: '合计（估算）',
  windowTrigger: '压缩阈值',
  tokens: (count) => `${n(count)} 个词元`,
  requests: '实际发送的请求',
  requestsTitle: '发送给模型的内容',
  requestsLead: '打开本页以来最近的调用，最新的在前，关闭页面后不再保留。生成摘要的调用另算，不在其中。',
  noRequests: '打开本页以来还没有调用过模型。',
  requestChoice: '模型调用',
  requestName: (time, tokens, said, tool) =>
    `${time}，${n(tokens)} 个词元：${said === null ? `在${tool === '' ? '一个结果' : ` ${tool} `}之后` : `“${said}”`}`,
  pieces: (part, count) =>
    part === 'messages' ? `${messages(count)}，` : part === 'tools' ? `${n(count)} 个工具，` : '',
  notSent: '无',
  sentBy: (type) => (type === 'system' ? '系统指令' : (speakers.get(type) ?? type)),
  sentCalls: '调用：',
  windowUnknown: (trigger) => `达到 ${n(trigger)} 个词元时压缩`,
  windowPart: {
    system: '系统指令',
    tools: '工具',
    notes: '笔记',
    summary: '摘要',
    messages: '消息',
  },

  archiveStarting: '存档：正在启动…',
  archivePersistent: '存档：保存在此设备上',
  archiveMemory: '存档：仅在内存中',
  archiveUnavailable: '存档：不可用',
  // The reason comes from the package, in English; what it means for the reader is the same each time.
  memoryNotice: () =>
    '存档只在内存中，关闭页面后就会消失：浏览器在这里不提供文件存储（例如隐私窗口或不安全的地址）。对话本身会保留，隐私窗口除外。',
  unavailableNotice: (failure) =>
    `存档目前不可用：${failureOf(failure)}。助手会继续工作，仍能搜索检查点里的内容。`,
  details: '详细信息',

  chooseModel: '选择模型…',
  modelTitle: '由哪个模型回答？',
  modelOffline: '内置程序：不需要密钥，也不需要网络。它会搜索对话并引用原文。',
  modelEndpoint: '兼容 OpenAI 接口的模型，由本页直接访问。',
  modelBrowser: '浏览器内置的模型。',
  modelBrowserAbsent: '浏览器内置的模型：此浏览器没有。',
  modelBrowserMissing: '此浏览器没有内置模型，请选择其他模型。',
  modelAddress: '地址',
  modelAddressHint: '写到版本号为止，例如 http://localhost:11434/v1',
  modelAddressBad: '请填写以 http:// 或 https:// 开头的地址。',
  modelName: '模型',
  modelNameBad: '请填写模型名称。',
  modelKey: '密钥（如果该地址需要）',
  modelKeyHint: '密钥只会发送给这个地址，除此之外不会离开此浏览器。',
  modelKeep: '在此浏览器中保存地址和密钥',
  modelForget: '立即忘记地址和密钥',
  modelUse: '使用这个模型',
  modelNotTaken: (detail) => `无法使用该模型：${detail} 改由内置程序回答。`,
  modelNotice: (choice) =>
    choice.kind === 'offline'
      ? '这里由一个内置的小程序回答，不是语言模型：它会搜索对话，并引用找到的原文。'
      : choice.kind === 'browser'
        ? '由浏览器内置的模型回答，任何内容都不会离开此设备。'
        : `由 ${choice.model} 回答，提问内容会发送到 ${new URL(choice.baseUrl).host}。`,
  modelTrouble: (trouble, origin) => {
    switch (trouble.kind) {
      case 'unreachable':
        return `模型地址没有回应本页：那里没有服务，或者不允许来自 ${origin} 的页面访问（CORS）。使用 Ollama 时，请以 OLLAMA_ORIGINS=${origin} 启动。`;
      case 'silent':
        return '模型地址太久没有回应。它可能正在加载模型，请稍后再试。';
      case 'cut':
        return '与模型的连接在回答途中断开了。点“继续”可再问一次。';
      case 'status':
        return trouble.status === 401 || trouble.status === 403
          ? `模型地址拒绝了密钥（${trouble.status}）：${trouble.message}`
          : trouble.status === 404
            ? `该地址没有这个模型，或者地址不正确（404）：${trouble.message}`
            : trouble.status === 429
              ? `该地址暂时不接受更多请求（429）：${trouble.message}`
              : `模型地址出错（${trouble.status}）：${trouble.message}`;
    }
  },

  notifications: '通知',
  compacting: '正在压缩上下文…',
  seconds: (count) => `${n(count)} 秒`,
  compacted: (covered, before, after) =>
    `上下文已压缩：${messages(covered)}变成了一份摘要，${n(before)} → ${n(after)} 个词元。`,
  prunedToast: (count) => `已从检查点中移除 ${messages(count)}。`,
  nothingPruned: '检查点中没有更多可移除的内容。',
  archivedToast: (stored) => `已存档 ${n(stored)} 条原文。`,
  notArchived: (failure) => `存档没有收下这些内容（${failureOf(failure)}）。`,
  compactionFailed: (message, reason) => `上下文没有压缩：${reasons.get(reason) ?? message}`,
  nothingToCompact: (message, reason) => `没有可压缩的内容：${reasons.get(reason) ?? message}`,
  opening: (file) => `正在打开 ${file}…`,
  storageFull: '浏览器不再为本页提供存储空间。请删除一些对话或释放空间，然后重试。',
  offline: (needsNetwork) =>
    needsNetwork
      ? '网络已断开：恢复之前无法访问所选的模型，其他功能照常使用。'
      : '网络已断开。本页不需要网络，一切照常。',
  online: '网络已恢复。',
  newVersion: '本页有新版本。关闭所有打开本页的标签后，再次打开就是新版。',
  dismiss: '关闭提示',
};
