async function send(order) {
  const how = {method: 'POST', body: order.body, headers: {'Content-Type': 'application/x-www-form-urlencoded'}};
  try {
    return await (await fetch(order.to, how)).text();
  } catch {
    return 'Something went wrong. Please try again.';
  }
}
if (self.clients) {
  self.addEventListener('install', () => self.skipWaiting());
  self.addEventListener('activate', event => event.waitUntil(self.clients.claim()));
  self.addEventListener('message', event => event.waitUntil(send(event.data).then(text => event.source.postMessage(text))));
  self.addEventListener('fetch', event => {
    if (event.request.method === 'POST') event.respondWith(fetch(event.request));
  });
} else if ('onconnect' in self) {
  self.onconnect = ({ports: [port]}) => {
    port.onmessage = async event => port.postMessage(await send(event.data));
  };
} else {
  self.onmessage = async event => postMessage(await send(event.data));
}
