// Which language the page speaks: a choice that is remembered.
import { h } from '../dom.js';
import { chooseLanguage, isLanguage, LANGUAGES, language, words } from '../words/index.js';

/** A list of the languages, each as it calls itself; choosing one begins the page anew in it. */
export function languageChoice(): HTMLElement {
  const select = h(
    'select',
    { 'aria-label': words.chooseLanguage },
    ...Object.entries(LANGUAGES).map(([value, name]) =>
      h('option', { value, lang: value, selected: value === language }, name),
    ),
  );
  select.addEventListener('change', () => {
    if (isLanguage(select.value)) chooseLanguage(select.value);
  });
  return h('div', { class: 'language' }, select);
}
