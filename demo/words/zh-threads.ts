// What the page says of conversations as files, in Chinese.
import type { enThreads } from './en-threads.js';
import { n } from './zh-figures.js';

/** The words for conversations that are carried from place to place, in Chinese. */
export const zhThreads: typeof enThreads = {
  exportThread: '导出',
  importThread: '导入对话…',
  threadNotExported: '对话没有导出。',
  nothingToExport: '其中还没有任何内容。',
  threadFileProblem: {
    foreign: '它不是从这里导出的对话。一切保持原样。',
    damaged: '文件已损坏：导出之后被截断或改动过。一切保持原样。',
    newer: '它由此页的更新版本写成。一切保持原样。',
  },
  existsNow: '另一个标签页刚刚占用了它的位置。一切保持原样。',
  imported: (checkpoints, sources) => `已导入 ${n(checkpoints)} 个检查点、${n(sources)} 条存档原文。`,
  importedTitle: '导入的对话',
  placeTitle: '此对话已经在这里',
  placeText: (file) => `${file} 中的对话，此浏览器里已经有了；文件保存的是它导出时的样子。`,
  placeBoth: '两个都保留',
  placeReplace: '替换这里的对话',
  answeringElsewhere: '另一个标签页正在这里作答。',
  compactingElsewhere: '另一个标签页正在压缩此对话。',
  stopOther: '让它停止',
  waitingToSend: '另一个标签页正在作答；它一结束，你的消息就会发送。',
  waitingToWrite: '另一个标签页正在使用此对话；它一结束，这里就继续。',
  takeOver: '立即停止另一个标签页',
  doNotWait: '不等了',
  takenOver: '另一个标签页接管了此对话；这里的运行已结束。',
  deletedElsewhere: (hasDraft) =>
    hasDraft
      ? '此对话已在另一个标签页中删除。你输入的内容放在了新对话里。'
      : '此对话已在另一个标签页中删除。',
};
