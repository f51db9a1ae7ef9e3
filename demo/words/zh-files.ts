// What the page says of a file, in Chinese: what is wrong with it, or was understood otherwise than written.
import type { ImportPlace, ImportProblem, ImportWarning } from '../import/conversation.js';
import { type enFiles, megabytes, short } from './en-files.js';

/** The words for files, in Chinese. */
export const zhFiles: typeof enFiles = {
  fileProblem,
  fileWarning,
  value: {
    missing: '空缺',
    nothing: 'null',
    emptyList: '空列表',
    list: '列表',
    emptyObject: '空对象',
    object: '对象',
    text: '文本',
    number: '数字',
    true: 'true',
    false: 'false',
  },
  objectWith: (names) => `带有${names.map((name) => `“${name}”`).join('、')}的对象`,
  callsAre: (found) => `tool_calls 是${found}`,
  callIs: (call, found) => `第 ${call} 个调用是${found}`,
  callUnnamed: (call) => `第 ${call} 个调用没有名称`,
  callArguments: (call, found) => `第 ${call} 个调用的参数是${found}`,
};

function fileProblem(problem: ImportProblem): string {
  switch (problem.kind) {
    case 'empty':
      return '文件是空的。';
    case 'too-large':
      return `文件太大：有 ${megabytes(problem.bytes)} MB，最大只能打开 ${megabytes(problem.limitBytes)} MB 的文件。`;
    case 'unreadable':
      return `无法读取文件：${short(problem.detail)}`;
    case 'not-text':
      return '文件不是 UTF-8 文本。对话需要从 JSON 文件打开。';
    case 'not-json':
      return `文件不是有效的 JSON：第 ${problem.line} 行第 ${problem.column} 列无法解析。`;
    case 'no-conversation':
      return `文件里是${short(problem.found)}，没有对话。需要的是消息列表，或带有“messages”的对象。`;
    case 'no-messages':
      return `${problem.conversation === null ? '对话' : `对话 ${short(problem.conversation)} `}里没有消息。`;
    case 'not-a-message':
      return `${place(problem.at)}不是消息，而是${problem.found}。`;
    case 'no-role':
      return `${place(problem.at)}没有注明说话者：它的“role”是${problem.found}。`;
    case 'unknown-role':
      return `${place(problem.at)}的角色“${short(problem.role)}”无法识别。可以识别的有 system、developer、user、assistant、tool 和 function。`;
    case 'wrong-content':
      return `${place(problem.at)}（${problem.role}）的内容是${problem.found}。应为文本，或由带“type”的部分组成的列表。`;
    case 'wrong-call':
      return `${place(problem.at)}里有无法读取的工具调用：${short(problem.found)}。`;
  }
}

function fileWarning(warning: ImportWarning): string {
  switch (warning.kind) {
    case 'result-without-call':
      return `第 ${warning.message} 条消息是工具结果，但没有对应的调用。它会保留，但模型看不到。`;
    case 'call-without-result':
      return `第 ${warning.message} 条消息调用了 ${short(warning.tool)}，后面没有它的结果。`;
    case 'invalid-arguments':
      return `第 ${warning.message} 条消息调用 ${short(warning.tool)} 的参数不是 JSON 对象，已按文本保留。`;
    case 'several-calls-answered':
      return `第 ${warning.message} 条消息一次回答了 ${warning.count} 个工具调用，文本归在第一个调用下。`;
    case 'repeated-call-ids':
      return `有些工具调用的编号与前面的重复，已换成新编号（第 ${warning.messages.join('、')} 条消息）。`;
    case 'late-system-message':
      return `第 ${warning.message} 条是出现在对话中间的系统消息，已留在原处。`;
    case 'left-out-fields':
      return `不属于对话的字段已略去：${warning.fields.slice(0, 8).map(short).join('、')}。`;
  }
}

function place({ conversation, message }: ImportPlace): string {
  return conversation === null
    ? `第 ${message} 条消息`
    : `对话 ${short(conversation)} 的第 ${message} 条消息`;
}
