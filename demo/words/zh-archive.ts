// What the page says of an archive as a whole, and of the room that it has, in Chinese.
import type { enArchive } from './en-archive.js';
import { bytes, messages, n } from './zh-figures.js';

const contents = (batches: number, sources: number) => `${n(batches)} 批、${n(sources)} 条原文`;

/** The words for archives, in Chinese. */
export const zhArchive: typeof enArchive = {
  archivedWhen: (when) => `${when}存档`,
  positionOf: (position, count) => `第 ${n(position)} 条消息，共 ${n(count)} 条`,
  archiveOfThis: '此对话的存档',
  nothingArchived: '还没有存档。模型窗口放不下的内容会逐字保存在这里。',
  archiveHolds: (sources, size) => `逐字保存 ${n(sources)} 条原文，在此设备上占用 ${bytes(size)}`,
  gaugeBatches: '批次',
  gaugePages: '页',
  ofMost: (count, most) => `${n(count)}，最多 ${n(most)}`,
  retention: (records, characters, ceiling) =>
    `每批保留一次压缩的最后 ${n(records)} 条原文，每条最多 ${n(characters)} 个字符；每页 4 kB，总共最多 ${bytes(ceiling)}。放满后，最早的一批先被删除。`,
  batchHolds: (sources, size) => `${n(sources)} 条原文，${bytes(size)}`,
  batchNextToGo: '下一个被删除',
  batchNotReachable: '从这里无法查到',
  archiveExport: '导出存档文件',
  archiveImport: '导入…',
  archiveDelete: '删除…',
  saved: (name) => `已保存为 ${name}。`,
  noArchive: '此对话没有存档。',
  archiveNotExported: '存档没有导出。',
  fileUnread: (name) => `无法读取 ${name}。`,
  archiveImported: (batches, sources) => `已导入${contents(batches, sources)}。`,
  archiveNotImported: (name) => `${name} 没有导入，一切保持原样。`,
  replaceTitle: '要替换存档吗？',
  replaceNow: '替换',
  replaceWhat: (name, batches, sources) =>
    `现有存档（${contents(batches, sources)}）将被 ${name} 的内容取代。`,
  deleteArchiveTitle: '要删除存档吗？',
  deleteArchiveList: (batches, sources, size, pruned) => [
    `${contents(batches, sources)}，${bytes(size)}`,
    ...(pruned === 0 ? [] : [`已从对话中移除的 ${messages(pruned)}，只在这里还有原文`]),
  ],
  deleteArchiveStays: '对话、摘要和笔记都会保留；仍在对话中的内容依然可以查到。',
  archiveDeleted: '存档已删除。',
  archiveNotDeleted: '存档没有删除。',
  archiveFailure: {
    quota: '浏览器不再提供存储空间。',
    ceiling: '内容超过了单个存档的上限。',
    locked: '另一个标签页正占用着它，请重试。',
    corrupt: '文件已损坏，或者不是此对话的存档。',
    unsupported: '浏览器无法打开它，或者它由更新的版本写成。',
    'worker-lost': '存档的后台线程已结束，请重试。',
    deadline: '存档没有及时回应，请重试。',
    internal: '出现了内部错误。',
  },
  roomOfDevice: '浏览器中的空间',
  gaugeRoom: '存储',
  ofRoom: (used, quota) => `${bytes(used)}，共 ${bytes(quota)}`,
  roomUnknown: '此浏览器没有说明还有多少空间。',
  archivesHold: (count, size) => `${n(count)} 个对话有存档，共占用 ${bytes(size)}。`,
  lastingYes: '浏览器会一直保留，直到你删除。',
  lastingNo: '设备空间不足时，浏览器可能自行清除全部内容。',
  lastingUnknown: '此浏览器没有说明是否会自行清除。',
  lastingAsk: '请浏览器保留',
  lastingGranted: '浏览器从现在起会一直保留。',
  lastingRefused: '浏览器没有同意。把此页加入书签、安装或多次使用后，它可能会同意。',
};
