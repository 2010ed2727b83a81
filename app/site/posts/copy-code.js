// The public site's only script, where the setting asks for it: a button that copies the code block it stands in.
const { copy, copied } = document.currentScript.dataset;
for (const block of document.querySelectorAll('.prose pre')) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy-code';
  button.textContent = copy;
  button.onclick = () =>
    navigator.clipboard.writeText(block.textContent).then(() => {
      button.textContent = copied;
      setTimeout(() => (button.textContent = copy), 2000);
    });
  const box = document.createElement('div');
  box.className = 'code-box';
  block.replaceWith(box);
  box.append(block, button);
}
