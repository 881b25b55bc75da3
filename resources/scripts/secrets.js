// Fields whose value nobody may read: passwords, one-time codes, cards. Once secret, always secret in its document.

const SECRET_AUTOCOMPLETE = /(^|\s)(one-time-code|cc-number|cc-csc|cc-exp|cc-exp-month|cc-exp-year|current-password|new-password)(\s|$)/;
const SECRET_NAME = /(^|[^a-z])(otp|one.?time.?(code|pass\w*)|verification.?code|security.?code|2fa|totp|cvv2?|cvc2?|csc|card.?(number|no|num)|cc.?(number|num))([^a-z]|$)/i;
const TYPED = /^(text|tel|number|search|)$/;
const MASK = '••••••';

function isSecret(element) {
  if (element.localName !== 'input') return false;
  if (element.type === 'password') return true;
  if (!TYPED.test(element.type)) return false;
  return SECRET_AUTOCOMPLETE.test(element.getAttribute('autocomplete') || '') || SECRET_NAME.test(`${element.name} ${element.id}`);
}

/** Whether the element is a secret field; its value is remembered, to be hidden wherever else it turns up. */
function rememberSecret(element) {
  const { secretFields, secrets } = state();
  if (!secretFields.has(element) && !isSecret(element)) return false;
  secretFields.add(element);
  if (element.value) secrets.add(element.value);
  return true;
}

const secretFields = () => [...everyElement(document)].filter(element => element.localName === 'input' && rememberSecret(element));

/** All values of secret fields of this document, also of those that hold another one by now. */
const hidden = () => (secretFields(), { secrets: [...state().secrets] });

function shownValue(element) {
  if (rememberSecret(element)) return element.value ? MASK : '';
  if (element.localName === 'select') return [...element.selectedOptions].map(option => option.label).join(', ');
  if (element.type === 'checkbox' || element.type === 'radio') return element.checked ? 'checked' : 'unchecked';
  if (element.type === 'file') return [...element.files].map(file => file.name).join(', ');
  if ('value' in element && typeof element.value === 'string') return element.value;
  const it = plain(element);
  if (it.isContentEditable) return it.innerText;
  return it.getAttribute('aria-valuetext') || it.getAttribute('aria-valuenow') || ariaChecked(it);
}

function ariaChecked(element) {
  const checked = element.getAttribute('aria-checked') ?? element.getAttribute('aria-pressed');
  return checked === null ? '' : checked === 'true' ? 'checked' : checked === 'false' ? 'unchecked' : checked;
}
