// Numbers that look random, appended to the passes that hash where a pixel lies.

// lowbias32 (Wellons, Prospecting for Hash Functions, 2018), and what keeps seeds apart.
const GOLDEN: u32 = 0x9e3779b9u;

fn mixed(numbers: vec4<u32>) -> vec4<u32> {
    var bits = (numbers ^ (numbers >> vec4<u32>(16u))) * 0x7feb352du;
    bits = (bits ^ (bits >> vec4<u32>(15u))) * 0x846ca68bu;
    return bits ^ (bits >> vec4<u32>(16u));
}
