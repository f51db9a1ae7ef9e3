// Another page of the same origin, as far as its storage can tell: a frame with its own scripts, asked by messages.

export interface Page {
  /** Runs one of the page's commands and gives what it answers; rejects with its error's message. */
  ask(command: string, ...words: readonly string[]): Promise<string>;
  /** Takes the page away, in the middle of whatever it does. */
  close(): void;
}

/** Opens a page with a saver over this database; its commands stand in `page-saver.ts`. */
export async function aPage(database: string): Promise<Page> {
  const frame = document.createElement('iframe');
  const script = new URL('./page-saver.ts', import.meta.url);
  frame.srcdoc = `<script type="module" src="${script.href}"></script>`;
  const name = crypto.randomUUID();
  frame.name = JSON.stringify({ name, database });
  const channel = new BroadcastChannel(name);
  const ready = new Promise<void>((resolve) => {
    channel.addEventListener('message', ({ data }) => data === 'ready' && resolve());
  });
  document.body.append(frame);
  await ready;
  let asked = 0;
  return {
    ask(command, ...words) {
      asked += 1;
      const id = asked;
      return new Promise((resolve, reject) => {
        const hear = ({ data }: MessageEvent): void => {
          if (data.answers !== id) return;
          channel.removeEventListener('message', hear);
          if ('error' in data) reject(new Error(data.error));
          else resolve(data.value);
        };
        channel.addEventListener('message', hear);
        channel.postMessage({ id, command, words });
      });
    },
    close() {
      frame.remove();
      channel.close();
    },
  };
}
