// What a reader would trip over, found by measuring. It runs in the page, and returns
// one line for each fault.
(() => {
  const faults = [];
  const room = document.documentElement.clientWidth;
  const name = e => e.tagName.toLowerCase() + (e.getAttribute("class") ? "." + e.getAttribute("class").replaceAll(" ", ".") : "") + ": " + (e.textContent || "").trim().slice(0, 40);
  const seen = e => e.checkVisibility({ contentVisibilityAuto: true, visibilityProperty: true, opacityProperty: true });
  const colour = s => { const m = s.match(/[\d.]+/g).map(Number); return { r: m[0], g: m[1], b: m[2], a: m.length > 3 ? m[3] : 1 }; };
  const light = c => [c.r, c.g, c.b].map(x => x / 255).map(x => x <= .04045 ? x / 12.92 : ((x + .055) / 1.055) ** 2.4).reduce((sum, x, i) => sum + x * [.2126, .7152, .0722][i], 0);
  const behind = e => { for (; e; e = e.parentElement) { const c = colour(getComputedStyle(e).backgroundColor); if (c.a === 1) return c; } return { r: 255, g: 255, b: 255 }; };
  if (document.documentElement.scrollWidth > room) faults.push(`the page is ${document.documentElement.scrollWidth} wide in a window of ${room}`);
  // What scrolls by itself may be wider; paper does not scroll.
  const scrolls = matchMedia("print").matches ? "figure" : "figure,.wide";
  const said = new Set();
  for (const e of document.body.querySelectorAll("*")) {
    if (!seen(e)) continue;
    const box = e.getBoundingClientRect();
    if (box.width && box.right > room + 1 && !e.closest(scrolls)) faults.push(`it sticks out by ${Math.round(box.right - room)}: ${name(e)}`);
    if (![...e.childNodes].some(n => n.nodeType === Node.TEXT_NODE && n.data.trim())) continue;
    const style = getComputedStyle(e);
    const a = light(colour(e instanceof SVGElement ? style.fill : style.color)), b = light(behind(e));
    const ratio = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
    const kind = e.tagName + e.getAttribute("class");
    if (ratio < 4.5 && !said.has(kind)) { said.add(kind); faults.push(`its contrast is ${ratio.toFixed(1)}, want 4.5: ${name(e)}`); }
  }
  // Short words stay whole, where a column holds them.
  for (const e of document.querySelectorAll("th,td,dt,h1,h2,h3,h4,summary,.role,.badge")) {
    const broken = [...e.childNodes].filter(n => n.nodeType === Node.TEXT_NODE && seen(e)).flatMap(n => [...n.data.matchAll(/(?<!\S)[A-Za-z]{1,10}(?!\S)/g)].map(m => {
      const r = document.createRange();
      r.setStart(n, m.index);
      r.setEnd(n, m.index + m[0].length);
      return new Set([...r.getClientRects()].map(x => Math.round(x.top))).size > 1 ? m[0] : "";
    })).find(Boolean);
    if (broken) faults.push(`it breaks the word ${broken} in two: ${name(e)}`);
  }
  for (const a of document.querySelectorAll("a[href]")) {
    if (!a.getAttribute("href").startsWith("#")) faults.push("it leads off the page: " + name(a));
    else if (!document.getElementById(a.getAttribute("href").slice(1))) faults.push("it leads nowhere: " + name(a));
  }
  for (const e of document.querySelectorAll("script,iframe,img,object,embed,link,base,form,input")) faults.push("an element that no page has: " + name(e));
  for (const e of document.querySelectorAll("*")) for (const x of e.attributes) if (x.name.startsWith("on")) faults.push(`an attribute that no page has: ${x.name} of ${name(e)}`);
  return [...new Set(faults)].slice(0, 20);
})()
